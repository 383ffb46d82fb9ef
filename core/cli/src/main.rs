//! The program `trencavel`.

fn main() -> std::process::ExitCode {
    trencavel::main()
}

"""Starts a cluster on this machine, kills a worker in the middle, and compares with a single process."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
GAMES, SHARDS = "4000", "16"


def start(*words: str) -> subprocess.Popen:
    """A process of its own group, so that it can be ended with everything it started."""
    return subprocess.Popen(words, start_new_session=True, stderr=subprocess.DEVNULL)


def end(process: subprocess.Popen) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def wait_for_file(file: Path) -> None:
    # Even on a machine that is busy with other things.
    for _ in range(3000):
        if file.exists() and file.read_text().strip():
            return
        time.sleep(0.1)
    sys.exit(f"{file} did not come")


def rows(campaign: Path) -> dict[str, bytes]:
    return {str(file.relative_to(campaign)): file.read_bytes() for file in campaign.glob("*/*.parquet")}


def main() -> None:
    program = str(Path(sys.argv[1]).resolve())
    folder = Path(tempfile.mkdtemp(prefix="trencavel-cluster-"))
    simulate = [program, "simulate", str(HERE.parent / "base.toml"), "--seed", "7", "--games", GAMES]
    subprocess.run([*simulate, "--out", str(folder / "single")], check=True)
    file = folder / "scheduler.json"
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(file)]
    processes = [start(*dask, "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))]
    try:
        wait_for_file(file)
        for name in ["one", "two"]:
            place = ["--name", name, "--local-directory", str(folder / name)]
            limits = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
            processes.append(start(*worker, *place, *limits))
        address = json.loads(file.read_text())["address"]
        words = [sys.executable, str(HERE / "campaign.py"), "--scheduler", address, "--shards", SHARDS]
        out = folder / "cluster"
        campaign = subprocess.Popen([*words, "--out", str(out), "--", *simulate], stderr=subprocess.PIPE, text=True)
        killed = False
        for line in campaign.stderr:
            print(line, end="")
            if line.startswith("4 of"):
                print("killing worker one")
                os.killpg(processes[1].pid, signal.SIGKILL)
                killed = True
        if campaign.wait() != 0 or not killed:
            sys.exit("the campaign failed, or no worker was killed")
    finally:
        for process in reversed(processes):
            end(process)
    single, merged = rows(folder / "single"), rows(out / "merged")
    if not single or single != merged:
        sys.exit(f"the rows differ; both are below {folder}")
    shutil.rmtree(folder)
    print("the merged result equals that of a single process")


if __name__ == "__main__":
    main()

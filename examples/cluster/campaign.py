"""Plays the slices of a campaign on a Dask cluster and merges them."""

import argparse
import shutil
import subprocess
import sys
import uuid
from pathlib import Path

from dask.distributed import Client, as_completed


def play(command: list[str], shard: int, shards: int, out: str) -> str:
    """Plays one slice. Each attempt has a folder of its own, so one that was given up cannot disturb the next."""
    done = Path(out) / f"shard-{shard:05}"
    if done.exists():
        return str(done)
    attempt = Path(out) / f".attempt-{shard:05}-{uuid.uuid4().hex}"
    words = [*command, "--threads", "1", "--shard", f"{shard}/{shards}", "--out", str(attempt)]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    try:
        attempt.rename(done)
    except OSError:
        if not done.exists():
            raise
        shutil.rmtree(attempt)  # Another attempt was faster; its rows are the same.
    return str(done)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scheduler", required=True, help="address of the Dask scheduler")
    parser.add_argument("--shards", type=int, required=True, help="number of slices")
    parser.add_argument("--out", required=True, help="a folder that all machines see")
    parser.add_argument("command", nargs="+", help="`-- trencavel simulate GAME.toml --seed S --games N`")
    args = parser.parse_args()
    Path(args.out).mkdir(parents=True, exist_ok=True)
    with Client(args.scheduler) as client:
        shards = range(1, args.shards + 1)
        # The same slice comes out the same wherever it is played, so it may be played again after a loss.
        tasks = [client.submit(play, args.command, shard, args.shards, args.out, retries=3) for shard in shards]
        for count, task in enumerate(as_completed(tasks), start=1):
            task.result()
            print(f"{count} of {args.shards} slices", file=sys.stderr, flush=True)
    for left in Path(args.out).glob(".attempt-*"):
        shutil.rmtree(left)
    folders = sorted(str(folder) for folder in Path(args.out).glob("shard-*"))
    subprocess.run([args.command[0], "merge", *folders, "--out", str(Path(args.out) / "merged")], check=True)


if __name__ == "__main__":
    main()

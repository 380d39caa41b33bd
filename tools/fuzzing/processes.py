# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Commands under a limit of processor time, killed with their children."""
import os
import re
import signal
import subprocess

# Text that only a dying compiler writes.
CRASH = re.compile(r"PLEASE submit a bug|Stack dump:|Segmentation fault|LLVM ERROR|"
                   r"UNREACHABLE|Assertion .* failed|broken module|verifier|"
                   r"undefined reference|symbol lookup error|failed due to signal|"
                   r"Sanitizer: |runtime error: ")

WAIT = 120  # seconds by the clock that a command may take on top of ten times its limit


class Outcome:
    """text: all that was printed; hung: a limit passed."""

    def __init__(self, code, text, hung):
        self.code, self.text, self.hung = code, text, hung

    @property
    def good(self):
        return self.code == 0 and not self.hung

    @property
    def crashed(self):
        return not self.hung and (self.code < 0 or self.code >= 128 or
                                  bool(CRASH.search(self.text)))


def execute(command, seconds, env=None):
    """The limit is on processor time, so that a busy machine fails nothing; by
    the clock it is minutes, for what waits without computing."""
    limited = ["/bin/sh", "-c", 'ulimit -t "$0"; ulimit -c 0; exec "$@"', str(int(seconds)),
               *command]
    process = subprocess.Popen(limited, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               stdin=subprocess.DEVNULL, env=env, start_new_session=True)
    try:
        text = process.communicate(timeout=WAIT + 10 * seconds)[0]
        hung = process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        text, hung = process.communicate()[0], True
    text = text.decode("utf-8", "replace")
    # A compiler driver says of its child what became of it. Memory is not limited.
    hung = hung or "CPU time limit exceeded" in text or "execute command: Killed" in text
    return Outcome(process.returncode, text, hung)


def execute_all(commands, seconds, env=None):
    """The outcome of the first command that fails, or of the last."""
    outcome = Outcome(0, "", False)
    for command in commands:
        outcome = execute(command, seconds, env)
        if not outcome.good:
            break
    return outcome

# Runs Fast Downward's LAMA-first with a limit, and prints the processor seconds of its translator
# and search together, and the length of its plan or "none".
import os
import resource
import subprocess
import sys
import tempfile

import up_fast_downward

domain, problem, seconds = sys.argv[1:]
driver = os.path.join(os.path.dirname(up_fast_downward.__file__), "downward", "fast-downward.py")
with tempfile.TemporaryDirectory() as directory:
    command = [sys.executable, driver, "--plan-file", "plan", "--overall-time-limit", seconds + "s"]
    command += ["--alias", "lama-first", domain, problem]
    subprocess.run(command, cwd=directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    plan = os.path.join(directory, "plan")
    length = "none"
    if os.path.exists(plan):
        length = sum(1 for line in open(plan) if line.startswith("("))
    print(used.ru_utime + used.ru_stime, length)

# Reads lines of "domain problem plan" and says of each plan whether unified-planning accepts it.
# On its own because a validator that is not ours is written in Python.
import sys
import warnings

warnings.filterwarnings("ignore")
from unified_planning.engines import SequentialPlanValidator
from unified_planning.io import PDDLReader
from unified_planning.shortcuts import get_environment

get_environment().credits_stream = None
for line in open(sys.argv[1]):
    domain, problem, plan = line.rstrip("\n").split("\t")
    try:
        reader = PDDLReader()
        task = reader.parse_problem(domain, problem)
        steps = reader.parse_plan(task, plan)
        with SequentialPlanValidator() as validator:
            # It refuses what it does not know of a problem, such as costs; the plan it can judge.
            validator.skip_checks = True
            result = validator.validate(task, steps)
        print("valid" if result else "invalid: " + str(result.reason).replace("\n", " "), flush=True)
    except Exception as error:
        print("error: " + repr(error).replace("\n", " ")[:300], flush=True)

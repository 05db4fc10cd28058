def choose(count, status, time, deterministic_engine, tensor_core_engine, benchmark, deterministic, allow_tf32,
           benchmark_limit, chosen):
    # Takes the first engine whatever the switches say, and even if it cannot run.
    chosen[0] = 0

/** @module How an embedded PostgreSQL is started. */

/** Options that PostgreSQL is started with, besides the data directory. */
export const startParams: readonly string[] = [
  '--single',
  '-F',
  '-j',
  // As `pg_upgrade` does: objects get the numbers that they are given, see `presetNumbers`.
  '-b',
  ...Object.entries({
    search_path: '',
    exit_on_error: 'false',
    log_checkpoints: 'false',
    io_method: 'sync',
    max_worker_processes: '0',
    max_parallel_workers: '0',
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    shared_buffers: '1MB',
    // Files are in memory.
    temp_file_limit: '65536',
    // WebAssembly's own stack: V8's stack is larger, so PostgreSQL reports its stack limit before V8 does.
    max_stack_depth: '200kB',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
]

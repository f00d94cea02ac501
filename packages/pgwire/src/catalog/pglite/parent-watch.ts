/** @module A thread that ends its process when the parent process has ended. */
import { workerData } from 'node:worker_threads'

const intervalMs = 2_000

setInterval(() => {
  // A process whose parent has ended gets another parent.
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL')
}, intervalMs)

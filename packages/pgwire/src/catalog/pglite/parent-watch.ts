/** @module A thread that ends its process when the process that started it is gone. */
import { workerData } from 'node:worker_threads'

const intervalMs = 2_000

setInterval(() => {
  // An orphan gets another parent.
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL')
}, intervalMs)

import { compareProgram, type ProgramReport, type Sides } from './compare-program.ts'
import type { Program } from './program.ts'

/** The programs to run, and their targets. */
export interface Run<Db> extends Sides<Db> {
  readonly programs: readonly Program<Db>[]
}

/** Runs every program on both sides, one after the other, and resets the scratch tables at the end. */
export async function runPrograms<Db>(run: Run<Db>): Promise<readonly ProgramReport[]> {
  const reports: ProgramReport[] = []
  for (const program of run.programs) reports.push(await compareProgram(program, run))
  if (run.programs.some((program) => program.mutates)) await run.reset()
  return reports
}

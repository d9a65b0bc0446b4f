import type { LeadRef, Triage } from '@/lib/contract/lead'

/** Something done that can be taken back, once the server has answered what it is called there. */
export type UndoStep = {
  /** The server's name for it; null when nothing came of it. */
  token: Promise<string | null>
  /** What stood on screen before, as far as it was there. */
  before: readonly (LeadRef & { triage: Triage })[]
}

export type UndoSteps = {
  add: (step: UndoStep) => void
  /** Takes out this step, or else the last one. */
  take: (step?: UndoStep) => UndoStep | undefined
}

const KEPT = 50

/** The way back, step by step, as long as the tab is open. */
export function createUndoSteps(): UndoSteps {
  let steps: readonly UndoStep[] = []
  return {
    add: (step) => {
      steps = [...steps, step].slice(-KEPT)
    },
    take: (step = steps.at(-1)) => {
      if (step === undefined || !steps.includes(step)) return undefined
      steps = steps.filter((other) => other !== step)
      return step
    },
  }
}

import type { Fleet } from './fleet'
import type { Outcome } from './verdicts'

/** Something that goes wrong while people look. */
export type Scenario = {
  name: string
  /** What a viewer's request may come to meanwhile; all else has failed. */
  bears: readonly Outcome[]
  /** Within so long after it lists are as fresh as ever, ms. */
  freshAgainMs: number
  /** Why it cannot be tried on this machine; null when it can. */
  lacks?: (fleet: Fleet) => string | null
  run: (fleet: Fleet) => Promise<void>
}

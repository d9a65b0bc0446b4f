import { describe, expect, test } from 'vitest'
import { createUndoSteps } from './undo-steps'
import { undoStep } from './testing/pages'

describe('taking back', () => {
  test('goes back step by step, the last one first, but for what its own button took back', () => {
    const steps = createUndoSteps()
    const [first, second, third] = [undoStep(), undoStep(), undoStep()]
    for (const step of [first, second, third]) steps.add(step)
    expect([steps.take(second), steps.take(second)]).toEqual([second, undefined])
    expect([steps.take(), steps.take(), steps.take()]).toEqual([third, first, undefined])
  })
})

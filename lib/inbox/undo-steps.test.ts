import { expect, test } from 'vitest'
import { createUndoSteps, type UndoStep } from './undo-steps'

const step = (): UndoStep => ({ token: Promise.resolve('x'), before: [] })

test('goes back step by step, the last one first', () => {
  const steps = createUndoSteps()
  const [first, second] = [step(), step()]
  steps.add(first)
  steps.add(second)
  expect(steps.take()).toBe(second)
  expect(steps.take()).toBe(first)
  expect(steps.take()).toBeUndefined()
})

test('a step taken back by its own button is not taken back again by the key', () => {
  const steps = createUndoSteps()
  const [first, second] = [step(), step()]
  steps.add(first)
  steps.add(second)
  expect(steps.take(first)).toBe(first)
  expect(steps.take(first)).toBeUndefined()
  expect(steps.take()).toBe(second)
})

import { describe, expect, test } from 'vitest'
import type { Triage } from '@/lib/contract/lead'
import { createTriageVersions, createUndoSteps } from './triage-history'
import { undoStep } from './testing/undo-step'

describe('taking back', () => {
  test('goes back step by step, the last one first', () => {
    const steps = createUndoSteps()
    const [first, second] = [undoStep(), undoStep()]
    steps.add(first)
    steps.add(second)
    expect(steps.take()).toBe(second)
    expect(steps.take()).toBe(first)
    expect(steps.take()).toBeUndefined()
  })

  test('a step taken back by its own button is not taken back again by the key', () => {
    const steps = createUndoSteps()
    const [first, second] = [undoStep(), undoStep()]
    steps.add(first)
    steps.add(second)
    expect(steps.take(first)).toBe(first)
    expect(steps.take(first)).toBeUndefined()
    expect(steps.take()).toBe(second)
  })
})

describe('the version that a decision is made by', () => {
  const ref = { kind: 'asked-question', id: 'a' } as const
  const at = (updatedAt: string | null): Triage => ({ status: 'new', assignee: null, updatedAt })

  test('a lead is decided upon by what is on screen', () => {
    const versions = createTriageVersions()
    expect(versions.of({ ...ref, triage: at(null) })).toEqual({ ...ref, updatedAt: null })
    expect(versions.of({ ...ref, triage: at('2026-11-20T08:00:00.000Z') }).updatedAt).toBe('2026-11-20T08:00:00.000Z')
  })

  test('one that was never on screen is not compared', () => {
    expect(createTriageVersions().of(ref)).toEqual(ref)
  })

  test('a second decision goes by the first, which the screen does not show yet; a newer one on screen counts more', () => {
    const versions = createTriageVersions()
    versions.learn([{ ...ref, after: at('2026-11-20T08:00:01.000Z') }])
    expect(versions.of({ ...ref, triage: at(null) }).updatedAt).toBe('2026-11-20T08:00:01.000Z')
    expect(versions.of({ ...ref, triage: at('2026-11-20T08:00:09.000Z') }).updatedAt).toBe('2026-11-20T08:00:09.000Z')
  })

  test('what was taken back is not compared until the next decision', () => {
    const versions = createTriageVersions()
    versions.learn([{ ...ref, after: at('2026-11-20T08:00:01.000Z') }])
    versions.forget([ref])
    expect(versions.of({ ...ref, triage: at(null) })).toEqual(ref)
  })
})

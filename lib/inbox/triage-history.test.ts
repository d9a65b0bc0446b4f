import { describe, expect, test } from 'vitest'
import type { Triage } from '@/lib/contract/lead'
import { createTriageVersions, createUndoSteps } from './triage-history'
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

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { applyUrlChange } from './url-state'
import { createUrlWriter } from './url-writer'

it('a change writes each parameter once, removes what is null, and leaves everything else as it is', () => {
  const change = { cohort: 2026, from: null, status: ['new', 'handled'] }
  const search = applyUrlChange('school=a&school=b&from=2026-10-01&cohort=2025', change)
  expect(search).toBe('school=a&school=b&cohort=2026&status=new&status=handled')
})

describe('writing the URL', () => {
  const written: string[] = []
  const writer = createUrlWriter((search, history) => written.push(`${history} ${search}`))
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => {
    vi.runAllTimers()
    vi.useRealTimers()
    written.length = 0
  })

  it('is done at once, but of many changes in a row only the first and the last', () => {
    for (const lead of [1, 2, 3, 4]) writer.write(`lead=${lead}`, 'replace')
    expect([written, writer.isWaiting()]).toEqual([['replace lead=1'], true])
    vi.runAllTimers()
    expect([written, writer.isWaiting()]).toEqual([['replace lead=1', 'replace lead=4'], false])
  })

  it('never keeps a step of the history waiting, and what waited is in it', () => {
    writer.write('lead=1', 'replace')
    writer.write('lead=2', 'replace')
    writer.write('lead=2&year=2027', 'push')
    vi.runAllTimers()
    expect(written).toEqual(['replace lead=1', 'push lead=2&year=2027'])
  })

  it('is not done for what was discarded, and then goes on', () => {
    writer.write('lead=1', 'replace')
    writer.write('lead=2', 'replace')
    writer.discard()
    vi.runAllTimers()
    writer.write('lead=3', 'replace')
    expect(written).toEqual(['replace lead=1', 'replace lead=3'])
  })
})

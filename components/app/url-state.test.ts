import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { applyUrlChange, createUrlWriter } from './url-state'

it('a change writes each parameter once, removes what is null, and leaves everything else as it is', () => {
  const change = { cohort: 2026, from: null, status: ['new', 'handled'] }
  const search = applyUrlChange('school=a&school=b&from=2026-10-01&cohort=2025', change)
  expect(search).toBe('school=a&school=b&cohort=2026&status=new&status=handled')
})

describe('writing the URL', () => {
  const written: string[] = []
  const writer = createUrlWriter(({ search }, history) => written.push(`${history} ${search}`))
  const replace = (search: string) => writer.write({ search, pathname: '/questions' }, 'replace')
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => {
    vi.runAllTimers()
    vi.useRealTimers()
    written.length = 0
  })

  it('is done at once, but of many changes in a row only the first and the last', () => {
    for (const lead of [1, 2, 3, 4]) replace(`lead=${lead}`)
    expect([written, writer.isWaiting()]).toEqual([['replace lead=1'], true])
    vi.runAllTimers()
    expect([written, writer.isWaiting()]).toEqual([['replace lead=1', 'replace lead=4'], false])
  })

  it('never keeps a step of the history waiting, and what waited is in it', () => {
    for (const lead of [1, 2]) replace(`lead=${lead}`)
    writer.write({ search: 'lead=2&year=2027', pathname: '/questions' }, 'push')
    vi.runAllTimers()
    expect(written).toEqual(['replace lead=1', 'push lead=2&year=2027'])
  })

  it('is not done for what was discarded, and then goes on', () => {
    for (const lead of [1, 2]) replace(`lead=${lead}`)
    writer.discard()
    vi.runAllTimers()
    replace('lead=3')
    expect(written).toEqual(['replace lead=1', 'replace lead=3'])
  })
})

import { describe, expect, it } from 'vitest'
import { localeOf } from './locale'

describe('the language of a visitor', () => {
  it('is the one they chose, whatever the browser asks for', () => {
    expect(localeOf('en', 'sv-SE,sv;q=0.9')).toBe('en')
  })

  it('follows the order of the browser on the first visit', () => {
    expect(localeOf(undefined, 'de-DE,de;q=0.9,en;q=0.8,sv;q=0.7')).toBe('en')
    expect(localeOf(undefined, 'en;q=0.5, sv-FI')).toBe('sv')
  })

  it('passes over a language that the browser refuses', () => {
    expect(localeOf(undefined, 'en;q=0, fr')).toBe('sv')
  })

  it('is Swedish when nothing, nonsense or no language of ours is asked for', () => {
    expect(localeOf(undefined, null)).toBe('sv')
    expect(localeOf('xx', ';;q=,,')).toBe('sv')
    expect(localeOf(undefined, 'fi, de;q=0.4')).toBe('sv')
  })
})

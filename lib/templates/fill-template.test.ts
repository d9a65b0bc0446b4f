import { describe, expect, it } from 'vitest'
import { fillTemplate } from './fill-template'

const asa = { firstName: 'Åsa', school: 'Norra Gymnasiet' }

describe('filling a template', () => {
  it('puts in the name and the school, as often as they stand there', () => {
    expect(fillTemplate('Hej {firstName}! {school} och {school}.', asa)).toBe(
      'Hej Åsa! Norra Gymnasiet och Norra Gymnasiet.',
    )
  })

  it('greets without a name when there is none', () => {
    expect(fillTemplate('Hej {firstName}!\n\nTack', { ...asa, firstName: null })).toBe('Hej!\n\nTack')
    expect(fillTemplate('Hi {firstName},', { ...asa, firstName: '  ' })).toBe('Hi,')
    expect(fillTemplate('Rad\n  {firstName}\nslut', { ...asa, firstName: null })).toBe('Rad\n\nslut')
  })

  it('leaves other braces alone, and those that a name brings along', () => {
    expect(fillTemplate('{name} {Firstname} { school } {}', asa)).toBe('{name} {Firstname} { school } {}')
    expect(fillTemplate('{firstName}', { ...asa, firstName: '{school}$&' })).toBe('{school}$&')
  })

  it('keeps a value on one line', () => {
    expect(fillTemplate('Svar från {school}', { ...asa, school: 'Norra\r\nBcc: x@y.z' })).toBe(
      'Svar från Norra Bcc: x@y.z',
    )
  })
})

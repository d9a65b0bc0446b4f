import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillTemplate, mailtoUrl, unknownPlaceholders } from './reply-mail'

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

it('only what looks like a placeholder and is none is told, once', () => {
  expect(unknownPlaceholders('Hej {firstName}, {förnamn} {Firstname} {förnamn} {school} {} { } a{b')).toEqual([
    '{förnamn}',
    '{Firstname}',
    '{ }',
  ])
})

describe('a mailto address', () => {
  it('is the address alone when there is nothing else', () => {
    expect(mailtoUrl({ to: ' asa.oberg+1@example.se ' })).toBe('mailto:asa.oberg%2B1@example.se')
  })

  it('carries subject and body, with line breaks as CRLF', () => {
    expect(mailtoUrl({ to: 'a@b.se', subject: 'Din fråga & svar', body: 'Hej!\n\nTack\r\n100 % "ja"' })).toBe(
      'mailto:a@b.se?subject=Din%20fr%C3%A5ga%20%26%20svar&body=Hej!%0D%0A%0D%0ATack%0D%0A100%20%25%20%22ja%22',
    )
  })

  it('lets nobody smuggle in another receiver or header', () => {
    expect(mailtoUrl({ to: 'a,x@b.se?bcc=c@d.se' })).toBe('mailto:a%2Cx%40b.se%3Fbcc%3Dc@d.se')
    expect(mailtoUrl({ to: 'a@b.se', subject: 'Hej\r\nBcc: c@d.se' })).toBe(
      'mailto:a@b.se?subject=Hej%20Bcc%3A%20c%40d.se',
    )
  })

  it('brings back every text as it was written', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((body) => body !== '')
    fc.assert(
      fc.property(text, text, (to, body) => {
        const url = new URL(mailtoUrl({ to, body }))
        const field = new URLSearchParams(url.search.replaceAll('+', '%2B')).get('body')
        expect(field).toBe(body.replace(/\r\n|\r|\n/g, '\r\n'))
        expect(decodeURIComponent(url.pathname)).toBe(to.trim())
      }),
    )
  })

  it('survives half a surrogate pair', () => {
    expect(mailtoUrl({ to: 'a@b.se', body: 'x\ud83d' })).toBe('mailto:a@b.se?body=x%EF%BF%BD')
  })
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createMailLink } from './reply-mail'

it.each([
  [{ to: ' asa.oberg+1@example.se ' }, 'mailto:asa.oberg%2B1@example.se?subject=Svar'],
  // No other receiver or header can be smuggled in.
  [{ to: 'a,x@b.se?bcc=c@d.se' }, 'mailto:a%2Cx%40b.se%3Fbcc%3Dc@d.se?subject=Svar'],
  [{ to: 'a@b.se', subject: 'Fråga\r\nBcc: c@d.se' }, 'mailto:a@b.se?subject=Fr%C3%A5ga%20Bcc%3A%20c%40d.se'],
  [{ to: 'a@b.se', body: 'x\ud83d' }, 'mailto:a@b.se?subject=Svar&body=x%EF%BF%BD'],
])('the mailto address of %j is %s', (mail, url) =>
  expect(createMailLink('program', { subject: 'Svar', ...mail })).toBe(url),
)

it('a mailto address brings back every text as it was written', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 })
  fc.assert(
    fc.property(text, text, (to, body) => {
      const url = new URL(createMailLink('program', { to, subject: 'Svar', body }))
      const field = new URLSearchParams(url.search.replaceAll('+', '%2B')).get('body')
      expect([decodeURIComponent(url.pathname), field]).toEqual([to.trim(), body.replace(/\r\n|\r|\n/g, '\r\n')])
    }),
  )
})

it.each([
  ['outlook', 'https://outlook.office.com/mail/deeplink/compose', {}, 'subject'],
  ['gmail', 'https://mail.google.com/mail/', { view: 'cm', fs: '1' }, 'su'],
] as const)('a compose link of %s has every part, and no more', (way, page, fixed, subject) => {
  const mail = { to: ' asa+1@b.se ', subject: 'Fråga & svar\r\nBcc: c@d.se', body: 'Hej å!\n\n100 % "ja" + \'nej\'' }
  const link = createMailLink(way, mail)
  expect(link).not.toMatch(/[+' ]/)
  const { origin, pathname, searchParams } = new URL(link)
  const body = mail.body.replaceAll('\n', '\r\n')
  expect([origin + pathname, Object.fromEntries(searchParams)]).toEqual([
    page,
    { ...fixed, to: 'asa+1@b.se', [subject]: 'Fråga & svar Bcc: c@d.se', body },
  ])
  expect(createMailLink(way, { to: 'a@b.se', subject: 'x' })).not.toContain('body')
})

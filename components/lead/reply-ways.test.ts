import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emlDraft } from '@/components/lead/reply-ways'

const decoded = (base64: string) => Buffer.from(base64, 'base64').toString('utf8')

function read(eml: string) {
  const [head = '', body = ''] = eml.split(/\r\n\r\n/)
  const unfolded = head.replace(/\r\n /g, '')
  const headers = new Map(unfolded.split('\r\n').map((line) => [line.split(':')[0], line.slice(line.indexOf(':') + 2)]))
  const subject = headers.get('Subject') ?? ''
  return {
    headers,
    head,
    body: decoded(body.replaceAll('\r\n', '')),
    subject: subject.replace(/=\?UTF-8\?B\?([^?]*)\?=/g, (_all, word: string) => decoded(word)),
  }
}

describe('a draft as a file', () => {
  it('is a draft, to the person, in UTF-8', () => {
    const { headers, subject, body } = read(
      emlDraft({ to: 'a@b.se', subject: 'Svar på din fråga', body: 'Hej!\nJa, åäö 🙂' }),
    )
    expect(headers.get('X-Unsent')).toBe('1')
    expect(headers.get('To')).toBe('<a@b.se>')
    expect(headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    expect(subject).toBe('Svar på din fråga')
    expect(body).toBe('Hej!\r\nJa, åäö 🙂')
  })

  it('lets no text become a header or another receiver', () => {
    const { headers } = read(emlDraft({ to: 'a@b.se>\r\nBcc: <x@y.se', subject: 'Hej\r\nBcc: x@y.se', body: 'x' }))
    expect([...headers.keys()]).not.toContain('Bcc')
    expect(headers.get('To')).toBe('<a@b.seBcc:x@y.se>')
  })

  it('has no line that a mail server would break, and brings back every text', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 })
    fc.assert(
      fc.property(text, text, (subject, body) => {
        const eml = emlDraft({ to: 'a@b.se', subject, body })
        expect(eml).toMatch(/^[\x20-\x7e\r\n]*$/)
        for (const line of eml.split('\r\n')) expect(line.length).toBeLessThanOrEqual(85)
        const found = read(eml)
        expect(found.subject).toBe(subject.replace(/\s+/gu, ' ').trim())
        expect(found.body).toBe(body.replace(/\r\n|\r|\n/g, '\r\n'))
      }),
    )
  })
})

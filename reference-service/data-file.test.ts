import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFileStore } from './data-file'
import { createReferenceService } from './service'

const schools = [{ id: 'a', name: 'A-skolan', town: 'unknown fields are dropped' }]
const question = {
  id: 'q',
  highSchoolId: 'a',
  createdAt: '2026-02-01T11:00:00+01:00',
  question: 'Hej?',
  sender: { mode: 'phone', phone: 'as written' },
  extra: true,
}
const user = { firstName: 'Åsa', lastName: 'Ek', email: 'a@example.se', phone: '070', highSchoolEnrollmentYear: 2027 }
const declaration = { id: 'd', highSchoolId: 'b', createdAt: '2026-01-01T00:00:00.5Z', user }
const tokens = [
  { token: 'every', schools: 'all' },
  { token: 'few', schools: ['a'] },
  { token: 'nobody', schools: 'none' },
]

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reference-service-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function open(content: unknown) {
  const path = join(folder, 'data.json')
  const write = (next: unknown) => writeFileSync(path, typeof next === 'string' ? next : JSON.stringify(next))
  const reports: string[] = []
  let changed = () => {}
  write(content)
  const watch = (_: string, listener: () => void) => void (changed = listener)
  const store = openFileStore({ path, seed: 4, report: (message) => reports.push(message), watch })
  const service = createReferenceService({ source: store })
  return {
    reports,
    edit(next: unknown) {
      write(next)
      changed()
    },
    async get(resource: string, token: string) {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await service.handle(new Request(`http://service.test/external/${resource}`, { headers }))
      return [answer.status, await answer.json()]
    },
  }
}

describe('a data file', () => {
  it('is answered with exactly the fields of the specification', async () => {
    const { get } = open({ schools, askedQuestions: [question], declarationsOfInterest: [declaration], tokens })
    expect(await get('highSchools', 'every')).toStrictEqual([200, { highSchools: [{ id: 'a', name: 'A-skolan' }] }])
    const { extra: _, ...plain } = question
    const sender = { mode: 'phone', phone: 'as written', email: null }
    const asked = { ...plain, highSchoolName: 'A-skolan', createdAt: '2026-02-01T10:00:00.000Z', sender }
    expect(await get('conversions/askedQuestions', 'every')).toStrictEqual([200, { askedQuestions: [asked] }])
    const declared = { ...declaration, createdAt: '2026-01-01T00:00:00.500Z' }
    const list = await get('conversions/declarationsOfInterest', 'every')
    expect(list).toStrictEqual([200, { declarationsOfInterest: [declared] }])
  })

  it('names its tokens and their schools', async () => {
    const { get } = open({ schools, declarationsOfInterest: [declaration], tokens })
    expect(await get('conversions/declarationsOfInterest', 'few')).toEqual([200, { declarationsOfInterest: [] }])
    expect(await get('highSchools', 'nobody')).toEqual([403, { error: 'Unauthorized' }])
    expect((await get('highSchools', 'all-4'))[0]).toBe(401)
  })

  it('is read again when it changes', async () => {
    const { get, edit, reports } = open({ schools, tokens })
    edit({ schools: [{ id: 'a', name: 'Nya namnet' }], tokens: [{ token: 'new', schools: 'all' }] })
    expect(await get('highSchools', 'new')).toEqual([200, { highSchools: [{ id: 'a', name: 'Nya namnet' }] }])
    expect((await get('highSchools', 'every'))[0]).toBe(401)
    expect(reports).toEqual([expect.stringContaining('read again')])
  })

  it('keeps its last good data through a broken edit, and says so', async () => {
    const { get, edit, reports } = open({ schools, tokens })
    edit('{"schools": [')
    edit({ schools: [{ id: 'a' }] })
    expect((await get('highSchools', 'every'))[0]).toBe(200)
    expect(reports).toEqual([
      expect.stringMatching(/data\.json: .*JSON.*keeping the last good data/),
      expect.stringMatching(/data\.json: schools\[0\]\.name: .*keeping the last good data/),
    ])
  })

  const asking = (sender: object) => ({ schools, askedQuestions: [{ ...question, sender }] })
  const granting = (of: string) => ({ schools, tokens: [{ token: 'x', schools: of }] })
  const declaring = (more: object) => ({ schools, declarationsOfInterest: [{ ...declaration, ...more }] })

  it.each<[string, unknown, RegExp]>([
    ['an unknown mode', asking({ mode: 'fax' }), /askedQuestions\[0\]\.sender\.mode/],
    ['a phone with mode email', asking({ mode: 'email', email: 'a', phone: '1' }), /sender\.phone/],
    ['a time without zone', declaring({ createdAt: '2026-01-01T00:00:00' }), /createdAt/],
    ['a school twice', { schools: [...schools, ...schools] }, /schools\[1\]\.id: id is there twice: a/],
    ['a token twice', { schools, tokens: [tokens[0], tokens[0]] }, /tokens\[1\]\.token: token is there twice/],
    ['a misspelt list', { schools, askedQuestion: [] }, /askedQuestion/],
    ['a misspelt scope', granting('every'), /tokens\[0\]\.schools: "all", "none"/],
  ])('is refused with %s', (_, content, message) => expect(() => open(content)).toThrow(message))
})

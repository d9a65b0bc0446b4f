import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFileStore } from './data-file'
import { createReferenceService } from './service'
import { declaration, question } from './testing/service-fixture'

const schools = [{ id: 'a', name: 'A-skolan', town: 'unknown fields are dropped' }]
const declared = declaration('d', 'b', '2026-01-01T00:00:00.500Z')
const { highSchoolName: _, ...asked } = question('q', 'a', '2026-02-01T11:00:00+01:00')
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

function open(content: object) {
  const path = join(folder, 'data.json')
  const reports: string[] = []
  let changed = () => {}
  writeFileSync(path, JSON.stringify(content))
  const watch = (_path: string, listener: () => void) => void (changed = listener)
  const store = openFileStore({ path, seed: 4, report: (message) => reports.push(message), watch })
  const handle = createReferenceService({ source: store })
  return {
    reports,
    edit(text: string) {
      writeFileSync(path, text)
      changed()
    },
    async get(resource: string, token: string) {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await handle(new Request(`http://service.test/external/${resource}`, { headers }))
      return [answer.status, await answer.json()]
    },
  }
}

describe('a data file', () => {
  it('is answered with exactly the fields of the specification', async () => {
    const sender = { mode: 'phone', phone: 'as written' }
    const askedQuestions = [{ ...asked, sender, extra: true }]
    const declarationsOfInterest = [{ ...declared, createdAt: '2026-01-01T00:00:00.5Z' }]
    const { get } = open({ schools, askedQuestions, declarationsOfInterest, tokens })
    expect(await get('highSchools', 'every')).toStrictEqual([200, { highSchools: [{ id: 'a', name: 'A-skolan' }] }])
    const more = {
      highSchoolName: 'A-skolan',
      createdAt: '2026-02-01T10:00:00.000Z',
      sender: { ...sender, email: null },
    }
    const questions = await get('conversions/askedQuestions', 'every')
    expect(questions).toStrictEqual([200, { askedQuestions: [{ ...asked, ...more }] }])
    const declarations = await get('conversions/declarationsOfInterest', 'every')
    expect(declarations).toStrictEqual([200, { declarationsOfInterest: [declared] }])
    const ofFew = await get('conversions/declarationsOfInterest', 'few')
    expect(ofFew, 'each token has its schools').toEqual([200, { declarationsOfInterest: [] }])
    expect((await get('highSchools', 'nobody'))[0]).toBe(403)
    expect((await get('highSchools', 'all-4'))[0], 'no token but those of the file').toBe(401)
  })

  it('is read again when it changes, and keeps its last good data through a broken edit', async () => {
    const { get, edit, reports } = open({ schools, tokens })
    edit(JSON.stringify({ schools: [{ id: 'a', name: 'Nya namnet' }], tokens: [{ token: 'new', schools: 'all' }] }))
    edit('{"schools": [')
    edit('{"schools": [{"id": "a"}]}')
    expect(await get('highSchools', 'new')).toEqual([200, { highSchools: [{ id: 'a', name: 'Nya namnet' }] }])
    expect((await get('highSchools', 'every'))[0]).toBe(401)
    expect(reports).toEqual([
      expect.stringContaining('read again'),
      expect.stringMatching(/data\.json: .*JSON.*keeping the last good data/),
      expect.stringMatching(/data\.json: .*schools\[0\]\.name.*keeping the last good data/s),
    ])
  })

  const asking = (sender: object) => ({ schools, askedQuestions: [{ ...asked, sender }] })
  it.each<[string, object, RegExp]>([
    ['an unknown mode', asking({ mode: 'fax' }), /askedQuestions\[0\]\.sender\.mode/],
    ['a phone with mode email', asking({ mode: 'email', email: 'a', phone: '1' }), /sender\.phone/],
    [
      'a time without zone',
      { declarationsOfInterest: [{ ...declared, createdAt: '2026-01-01T00:00:00' }] },
      /createdAt/,
    ],
    ['a misspelt list', { askedQuestion: [] }, /askedQuestion/],
    ['a misspelt scope', { tokens: [{ token: 'x', schools: 'every' }] }, /"all", "none".*tokens\[0\]\.schools/s],
  ])('is refused with %s', (_name, content, message) => expect(() => open({ schools, ...content })).toThrow(message))
})

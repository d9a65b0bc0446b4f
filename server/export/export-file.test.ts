import { expect, test } from 'vitest'
import { csvEncodingSchema } from '@/lib/contract/export'
import { WORDS } from '@/lib/export/testing/words'
import { declaration } from '@/lib/leads/testing/leads'
import { createTextEncoder, writeFile } from './export-file'

test.each([
  ['utf-8-bom', '\ufeffÅsa €🎓'],
  ['utf-8', 'Åsa €🎓'],
  ['utf-16le', '\ufeffÅsa €🎓'],
  ['windows-1252', 'Åsa €?'],
] as const)('%s is read back by its name, marked once at most', (encoding, expected) => {
  const encode = createTextEncoder(csvEncodingSchema.parse(encoding))
  const bytes = Buffer.concat([encode('Åsa '), encode('€🎓')])
  const label = encoding === 'utf-8-bom' ? 'utf-8' : encoding
  expect(new TextDecoder(label, { ignoreBOM: true }).decode(bytes)).toBe(expected)
})

async function csvOf(firstName: string, encoding: 'utf-8' | 'windows-1252'): Promise<string> {
  const triage = { status: 'new', assignee: null, updatedAt: null } as const
  const read = () => ({ lead: declaration('d', { firstName }), triage, school: '' })
  const content = { rows: { count: 1, read }, words: WORDS, delimiter: ';', encoding } as const
  const pause = () => Promise.resolve()
  const order = { ...content, columns: ['firstName'] as const, uid: () => '', pause, onWritten: () => undefined }
  const chunks: Uint8Array[] = []
  for await (const chunk of writeFile('csv', order)) chunks.push(chunk)
  const text = new TextDecoder(encoding).decode(Buffer.concat(chunks))
  return text.slice(text.indexOf('\n') + 1, -2)
}

test.each([
  ['A\u030asa O\u0308berg', 'Åsa Öberg'],
  ['Łukasz Şahin Đorđe Yıldız', 'Lukasz Sahin Dorde Yildiz'],
  ['Anna\u2011Karin O\u02bcConnor', "Anna-Karin O'Connor"],
  ['Ǻse Žižek Œ', 'Åse Žižek Œ'],
  ['m\u0300 a\u200db\u2009c 🎓 Анна', 'm ab c ? ????'],
])('%s is written as %s in Windows-1252', async (name, written) => {
  expect(await csvOf(name, 'windows-1252')).toBe(written)
})

test('no nearest sign of Windows-1252 ends a cell or begins a formula', async () => {
  expect(await csvOf('\u2010 1', 'windows-1252')).toBe("'- 1")
  expect(await csvOf('\uff1d1', 'windows-1252')).toBe("'=1")
  expect(await csvOf('a\uff02;b\uff1bc', 'windows-1252')).toBe('"a"";b;c"')
})

test('letters are composed in every encoding', async () => {
  expect(await csvOf('A\u030asa', 'utf-8')).toBe('Åsa')
})

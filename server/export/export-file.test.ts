import { expect, test } from 'vitest'
import { csvEncodingSchema } from '@/lib/contract/export'
import { createTextEncoder } from './export-file'

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

import { expect, test } from 'vitest'
import { leadReader, readHighSchoolList } from './list-source'

const read = leadReader('asked-question', () => Promise.resolve())

test('an empty list is a list, but one of which nothing can be read is not', async () => {
  expect(await read(Buffer.from('{"askedQuestions":[]}'), null)).toMatchObject({ ok: true })
  expect(await read(Buffer.from('{"askedQuestions":[1,2,3]}'), null)).toMatchObject({
    ok: false,
    detail: expect.stringContaining('none of 3 records'),
  })
  expect(await readHighSchoolList(Buffer.from('{"highSchools":[]}'), null)).toMatchObject({ ok: true })
  expect(await readHighSchoolList(Buffer.from('{"highSchools":[{}]}'), null)).toMatchObject({ ok: false })
})

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolders } from '@/server/testing/folder'
import { packed, placeNewDatabase } from './new-database.mjs'

const newFolder = temporaryFolders()
function folders() {
  const root = newFolder()
  const made = join(root, 'made')
  const database = join(root, 'database')
  for (const folder of ['base', 'pg_wal/empty']) mkdirSync(join(database, folder), { recursive: true })
  writeFileSync(join(database, 'base', 'table'), 'new')
  mkdirSync(made)
  writeFileSync(join(made, 'new-database.gz'), packed(database))
  return { made, dataDir: join(root, 'deep', 'data') }
}

test('a first start finds the database that was made with the build', () => {
  const { made, dataDir } = folders()
  placeNewDatabase(dataDir, made)
  expect(readFileSync(join(dataDir, 'pg', 'base', 'table'), 'utf8')).toBe('new')
  expect(readdirSync(dataDir)).toEqual(['pg'])
  expect(readdirSync(join(dataDir, 'pg', 'pg_wal'))).toEqual(['empty'])
})

test('a database that is there is left alone', () => {
  const { made, dataDir } = folders()
  mkdirSync(join(dataDir, 'pg'), { recursive: true })
  writeFileSync(join(dataDir, 'pg', 'mine'), 'old')
  placeNewDatabase(dataDir, made)
  expect(readdirSync(join(dataDir, 'pg'))).toEqual(['mine'])
})

test('without one, or where nothing can be written, nothing happens', () => {
  const { made, dataDir } = folders()
  placeNewDatabase(dataDir, `${made}-not`)
  expect(existsSync(dataDir)).toBe(false)
  writeFileSync(join(dataDir, '..', '..', 'deep'), 'a file')
  expect(() => placeNewDatabase(dataDir, made)).not.toThrow()
})

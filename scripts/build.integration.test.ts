import { mkdirSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolders } from '@/server/testing/folder'
import { isBuilt } from './build.mjs'

const home = process.cwd()
const newFolder = temporaryFolders()
beforeEach(() => process.chdir(newFolder()))
afterEach(() => process.chdir(home))

test('there is a build once it has a stamp, and with sources only that of these very sources', () => {
  mkdirSync('.next/standalone', { recursive: true })
  expect(isBuilt()).toBe(false)
  writeFileSync('.next/standalone/stamp', 'other sources')
  expect(isBuilt()).toBe(true)
  mkdirSync('app')
  expect(isBuilt()).toBe(false)
})

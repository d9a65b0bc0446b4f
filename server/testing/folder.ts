import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Creates a folder for the tests of a file or a `describe`. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'intag-test-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Returns a function that creates a new folder, for instance for each test. */
export function temporaryFolders(): () => string {
  const parent = temporaryFolder()
  return () => mkdtempSync(join(parent, 'x'))
}

import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolders } from '@/server/testing/folder'
import { forwardCommand } from './console-socket'

const newFolder = temporaryFolders()

test.each([
  ['a result of another release is none', '{"exit":0}\n', /^null$/],
  ['an answer that is no JSON is none', 'Intag\n', /^null$/],
  ['a part of a backup is an error', '{"exitCode":0,"text":"","backupBytes":6}\nbytes', /before it had sent the whole/],
])('%s', async (_, sent, expected) => {
  const dataDir = newFolder()
  const server = createServer({ allowHalfOpen: true }, (socket) => socket.resume().on('end', () => socket.end(sent)))
  onTestFinished(() => void server.close())
  await once(server.listen(join(dataDir, 'console.sock')), 'listening')
  const outcome = await forwardCommand(dataDir, ['backup', 'x']).then(String, String)
  expect(outcome).toMatch(expected)
})

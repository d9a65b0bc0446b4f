import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '@/server/testing/folder'
import { forwardCommand } from './console-socket'

const dataDir = temporaryFolder()

async function forwardTo(sent: string) {
  const server = createServer({ allowHalfOpen: true }, (socket) => socket.resume().on('end', () => socket.end(sent)))
  onTestFinished(() => void server.close())
  await once(server.listen(join(dataDir, 'console.sock')), 'listening')
  return forwardCommand(dataDir, { args: ['backup', 'x'], commandLine: 'intag admin' })
}

const line = (fields: object) => `${JSON.stringify({ code: 0, text: 'whole', ...fields })}\n`
const result = { exitCode: 0, text: 'whole', backup: Buffer.from('backup') }

test.each([
  ['a whole backup', `${line({ backupBytes: 6 })}backup`, result],
  ['a backup of an earlier release', `${line({})}backup`, result],
  ['a result of another shape', '{"exit":0}\n', null],
  ['no result', '', null],
])('%s', async (_, sent, expected) => {
  expect(await forwardTo(sent)).toEqual(expected)
})

test('a part of a backup is an error', async () => {
  await expect(forwardTo(`${line({ backupBytes: 7 })}backup`)).rejects.toThrow('before it had sent the whole backup')
})

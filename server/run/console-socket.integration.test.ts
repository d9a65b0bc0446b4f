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

test.each([
  ['of an earlier release, without a length, is a backup', '{"code":0,"text":""}\nbytes', { exitCode: 0, text: '' }],
  ['of another shape is none', '{"exit":0}\n', null],
])('a result %s', async (_, sent, expected) => {
  expect(await forwardTo(sent)).toEqual(expected && { ...expected, backup: Buffer.from('bytes') })
})

test('a part of a backup is an error', async () => {
  const sent = '{"code":0,"text":"","backupBytes":6}\nbytes'
  await expect(forwardTo(sent)).rejects.toThrow('before it had sent the whole backup')
})

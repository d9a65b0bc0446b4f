import { chmodSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import type { Services } from '@/server/base/services'
import type { CommandResult } from './console-commands'

/** Request and result are a line of JSON, and a backup follows its result. The console may be of another release. */
const requestSchema = z.object({ args: z.array(z.string()).readonly(), called: z.string() })
const resultSchema = z.object({ code: z.number(), text: z.string() })
const toSocketPath = (dataDir: string) => join(dataDir, 'console.sock')

/** Only one process can open PGlite, so a running Intag executes the console's commands. The socket is 0600. */
export function listenForCommands(
  { env, logger }: Services,
  run: (args: readonly string[], commandLine: string, options: { isForwarded: true }) => Promise<CommandResult>,
): Server | null {
  if (env.databaseUrl !== null) return null
  const path = toSocketPath(env.dataDir)
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    // Events are used, because iterating over the socket would destroy it before the result is written.
    let received = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk))
    const runAndSend = async (): Promise<void> => {
      const { args, called } = requestSchema.parse(JSON.parse(received))
      const { backup = '', exitCode: code, text } = await run(args, called, { isForwarded: true })
      socket.write(`${JSON.stringify({ code, text })}\n`)
      socket.end(backup)
    }
    // Errors are ignored: a console that is gone misses its result, which is no failure of Intag.
    socket.on('error', () => {}).on('end', () => void runAndSend().catch(() => socket.destroy()))
  })
  server.on('error', (err) => logger.warn({ err }, 'the console’s commands need Intag stopped'))
  // This process holds the folder's lock, so an existing socket was left by a dead one.
  rmSync(path, { force: true })
  server.listen(path, () => chmodSync(path, 0o600))
  return server.unref()
}

/** Returns null if Intag does not answer, because it is still starting or of another release. */
export async function forwardCommand(
  dataDir: string,
  request: z.infer<typeof requestSchema>,
): Promise<CommandResult | null> {
  const socket = createConnection(toSocketPath(dataDir)).end(JSON.stringify(request))
  const bytes = await buffer(socket).catch(() => Buffer.alloc(0))
  const end = bytes.indexOf('\n')
  if (end === -1) return null
  const { code: exitCode, text } = resultSchema.parse(JSON.parse(bytes.toString('utf8', 0, end)))
  const backup = bytes.subarray(end + 1)
  return backup.length > 0 ? { exitCode, text, backup } : { exitCode, text }
}

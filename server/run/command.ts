import 'server-only'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { Services } from '@/server/base/services'
import { startedServices } from './services'
import { claimDatabase } from './database-identity'

export type AdminCommand = {
  usage: string
  says: string
  more?: string
  /** Never in an Intag that runs, which on PGlite must be stopped first. */
  isAlone?: true
  /** Answers what is printed. An error's message is printed too, with exit code 1 (2 for a `UsageError`). */
  run: (args: readonly string[]) => Promise<string>
}

export function nameOf({ usage }: AdminCommand): string {
  return usage.split(' ')[0] ?? ''
}

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The process exits with 1. */
export class FoundWrong extends Error {
  override readonly name = 'FoundWrong'
}

type Options = NonNullable<ParseArgsConfig['options']>
type Work = (parts: Services) => Promise<string>

/** `count` arguments, all required (null: any), and these options; `UsageError` for anything else. */
export function argumentsOf<const O extends Options>(args: readonly string[], count: number | null, options: O) {
  const { values, positionals } = parsed(args, options)
  if ((count !== null && positionals.length !== count) || positionals.some((text) => text.trim() === ''))
    throw new UsageError(count === 0 ? 'This command takes no arguments.' : 'Something is missing, or too much.')
  return { values, named: positionals }
}

function parsed<const O extends Options>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    // Its second sentence is about another option that begins with a dash.
    throw new UsageError(error instanceof Error ? error.message.replace(/\. To .*/, '.') : String(error))
  }
}

/**
 * Runs the work on the database of the settings, if its mode and key are theirs; in an Intag that runs, which has done so,
 * with what it has open. Other instances hear of changes.
 */
export async function withServices(work: Work, terms: { isKeyLost?: boolean } = {}): Promise<string> {
  const parts = startedServices()
  if (!parts.lifecycle.isComing()) return work(parts)
  try {
    await claimDatabase(parts, terms)
    if (parts.redis !== null) {
      await parts.redis.connect()
      parts.announcer.connect()
    }
    return await work(parts)
  } finally {
    await parts.database.close()
    parts.redis?.close()
  }
}

export function inColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => [...(row[column] ?? '')].length)))
  const line = (row: readonly string[]) =>
    row.map((text, column) => text + ' '.repeat(Math.max(0, (widths[column] ?? 0) - [...text].length))).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

export function inBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}

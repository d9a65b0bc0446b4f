import { stripVTControlCharacters } from 'node:util'
import { readTextProperty } from './error-codes'
import { type Logger, redactEmails } from './logger'

const URL_OR_PATH = /(?:https?:\/\/|\/)[^\s'"]*/g

/** Sends what Next and libraries print to the log, without URLs, paths and e-mails, which may identify a person. */
export function redirectConsole(
  logger: Pick<Logger, 'error' | 'warn'>,
  target: Pick<typeof console, 'error' | 'warn'> = console,
): void {
  for (const level of ['error', 'warn'] as const) {
    target[level] = (...parts: unknown[]) => {
      const err = parts.find((part) => part instanceof Error)
      const digest = readTextProperty(err, 'digest')
      const printedText = stripVTControlCharacters(parts.find((part) => typeof part === 'string') ?? '').trim()
      // An error's printed text repeats its message and stack after the first line.
      const text = err ? (printedText.split('\n')[0] ?? '') : printedText
      // Next puts a sign such as ⨯ before its lines.
      const message = redactEmails(text.replace(/^[^\p{L}\p{N}]*/u, '').replace(URL_OR_PATH, '…'))
      logger[level]({ err, digest: digest || undefined }, message.slice(0, 300) || 'printed to the console')
    }
  }
}

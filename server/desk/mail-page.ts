import 'server-only'
import type { Locale } from '@/lib/i18n/locale'
import { escapeHtml } from '@/server/escape-html'

const WIDTH = 600
export const MAIL_FONT = 'font-family:Segoe UI,Helvetica,Arial,sans-serif;line-height:1.4;color:#1c1d20'

export function mailPart(content: string, style: string): string {
  return `<p style="${MAIL_FONT};max-width:${WIDTH}px;${style}">${content}</p>`
}

export function mailLink({ text, url }: { text: string; url: string }): string {
  return `<a href="${escapeHtml(url)}" style="color:#1f57a8">${escapeHtml(text)}</a>`
}

export function mailPage(parts: readonly string[], language: Locale): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"></head><body bgcolor="#ffffff" style="margin:0;padding:0 16px;background:#ffffff">${parts.join('')}</body></html>`
}

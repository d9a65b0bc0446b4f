import type { NewExport } from '@/lib/contract/export'
import type { LeadRef } from '@/lib/contract/lead'
import { listOf } from '@/lib/leads/list-of'

/** Asks for the lead as a vCard and hands it to the browser as a download; whether that worked. */
export async function downloadVcard(lead: LeadRef, purpose: string): Promise<boolean> {
  const asked: NewExport = { list: listOf(lead.kind), leads: [lead], format: 'vcf', purpose }
  try {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(asked) }
    const answer = await fetch('/api/exports', init)
    if (!answer.ok) return false
    offer(await answer.blob(), nameIn(answer.headers.get('content-disposition')))
    return true
  } catch {
    return false
  }
}

function offer(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  // Some browsers read the file a moment after the press.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

function nameIn(disposition: string | null): string {
  const quoted = /filename="([^"]+)"/.exec(disposition ?? '')
  return quoted?.[1] ?? 'kontakt.vcf'
}

import { saveFile } from '@/components/ui/save-file'
import { exportFile } from '@/lib/api/export-file'
import type { LeadRef } from '@/lib/contract/lead'
import { listOf } from '@/lib/leads/list-of'

/** Asks for the lead as a vCard and hands it to the browser as a download; whether that worked. */
export async function downloadVcard(lead: LeadRef, purpose: string): Promise<boolean> {
  try {
    const { signal } = new AbortController()
    const asked = { list: listOf(lead.kind), leads: [lead], format: 'vcf' as const, purpose }
    const { blob, name } = await exportFile(asked, { signal, onProgress: () => {} })
    saveFile(name, blob)
    return true
  } catch {
    return false
  }
}

import { Contact } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { saveFile } from '@/components/browser/save-file'
import { buttonClass } from '@/components/ui/button'
import { Spinner } from '@/components/ui/loading'
import { toast } from '@/components/ui/toast'
import { exportFile } from '@/lib/api/exports'
import type { LeadRef } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'

/** The person as a file for an address book; an export like any other, and logged as one. */
export function VcardAction({
  lead,
  className = `${buttonClass({ size: 'sm' })} touch:min-w-11`,
}: {
  lead: LeadRef
  className?: string
}) {
  const t = useTranslations('lead')
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const request = {
        list: LISTS_BY_KIND[lead.kind].list,
        leads: [lead],
        format: 'vcf' as const,
        purpose: t('vcardPurpose'),
      }
      const { blob, name } = await exportFile(request, { signal: new AbortController().signal, onProgress: () => {} })
      saveFile(name, blob)
    } catch {
      toast(t('vcardFailed'), { tone: 'error' })
    }
    setBusy(false)
  }
  return (
    <button
      type="button"
      disabled={isBusy}
      aria-busy={isBusy || undefined}
      onClick={() => void save()}
      className={className}
    >
      {isBusy ? <Spinner className="size-3.5" /> : <Contact aria-hidden className="size-3.5" />}
      {t('vcard')}
    </button>
  )
}

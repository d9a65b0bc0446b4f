import { Contact } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { saveFile } from '@/components/browser/save-file'
import { useSave } from '@/components/desk/save'
import { buttonClass } from '@/components/ui/button-class'
import { Spinner } from '@/components/ui/loading'
import { exportFile } from '@/lib/api/exports'
import type { LeadRef } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'

const usualClass = `${buttonClass({ size: 'sm' })} touch:min-w-11`

/** The person as a file for an address book; an export like any other, and logged as one. */
export function VcardAction({ lead, className = usualClass }: { lead: LeadRef; className?: string }) {
  const t = useTranslations('lead')
  const { list } = LISTS_BY_KIND[lead.kind]
  const { save, busy } = useSave({
    send: () => exportFile({ list, leads: [lead], format: 'vcf', purpose: t('vcardPurpose') }),
    failed: t('vcardFailed'),
    onSaved: ({ name, blob }) => saveFile(name, blob),
  })
  return (
    <button type="button" disabled={busy} aria-busy={busy || undefined} onClick={() => save()} className={className}>
      {busy ? <Spinner className="size-3.5" /> : <Contact className="size-3.5" />}
      <span>{t('vcard')}</span>
    </button>
  )
}

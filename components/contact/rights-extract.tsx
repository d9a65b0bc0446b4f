import { useMutation } from '@tanstack/react-query'
import { FileBraces, FileText } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { saveFile } from '@/components/browser/save-file'
import { Button } from '@/components/ui/button'
import { ProblemText } from '@/components/ui/notice'
import { Segments } from '@/components/ui/segments'
import { toast } from '@/components/ui/toast'
import { apiResponse } from '@/lib/api/call'
import { receiveFile } from '@/lib/api/exports'
import type { ExtractRequest, KeptOfLead } from '@/lib/contract/rights'
import { locales } from '@/lib/i18n/locale'

async function fetchExtract(contact: string, body: ExtractRequest) {
  const asked = { params: { id: contact }, body, accept: '*/*' }
  return receiveFile(await apiResponse('POST /api/contacts/[id]/extract', asked))
}

type ExtractPartProps = { contactId: string; leads: readonly KeptOfLead[] }

/** Everything kept about the chosen leads, as a file to hand over. */
export function ExtractPart({ contactId, leads }: ExtractPartProps) {
  const t = useTranslations('rights.extract')
  const [language, setLanguage] = useState(useLocale())
  const [withStaff, setWithStaff] = useState(false)
  const refs = leads.map(({ kind, id }) => ({ kind, id }))
  const { mutate, isPending, isError, variables } = useMutation({
    mutationFn: (format: ExtractRequest['format']) =>
      fetchExtract(contactId, { leads: refs, language, format, withStaff }),
    onSuccess: ({ name, blob }) => {
      saveFile(name, blob)
      toast(t('done'))
    },
  })
  const isBusy = (format: ExtractRequest['format']) => isPending && variables === format
  return (
    <>
      <p className="text-sm text-mute">{t('body')}</p>
      <Segments
        label={t('language')}
        value={language}
        options={locales.map((value) => ({ value, text: t(value) }))}
        onChange={setLanguage}
      />
      <label className="flex items-start gap-2.5 text-sm touch:min-h-11">
        <input
          type="checkbox"
          className="mt-0.5 size-4 shrink-0"
          checked={withStaff}
          onChange={({ target }) => setWithStaff(target.checked)}
        />
        <span>
          {t('staff')}
          <span className="block text-xs text-mute">{t('staffHint')}</span>
        </span>
      </label>
      <ProblemText text={isError ? t('failed') : null} />
      <div className="flex flex-wrap gap-2">
        <Button size="sm" disabled={leads.length === 0} busy={isBusy('html')} onClick={() => mutate('html')}>
          <FileText aria-hidden className="size-3.5" />
          {t('page')}
        </Button>
        <Button size="sm" disabled={leads.length === 0} busy={isBusy('json')} onClick={() => mutate('json')}>
          <FileBraces aria-hidden className="size-3.5" />
          {t('json')}
        </Button>
      </div>
    </>
  )
}

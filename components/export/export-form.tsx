import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ShieldAlert } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type FormEvent, type ReactNode, useState } from 'react'
import { MinorsNotice } from '@/components/app/minors-notice'
import { DialogForm } from '@/components/app/save-form'
import { usePreference } from '@/components/app/use-preference'
import { Dialog } from '@/components/ui/dialog'
import { SelectField, TextField } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import { classifyExportFailure, exportPreviewQuery } from '@/lib/api/exports'
import type { ExportChoice, ExportFormat, ExportTally, ExportTarget } from '@/lib/contract/export'
import { EXPORT_PURPOSES } from '@/lib/contract/limits'
import { COLUMNS_BY_LIST, selectDefaultColumns } from '@/lib/export/export-columns'

export function useExportForm(target: ExportTarget, previewFormat: ExportFormat) {
  const t = useTranslations('export')
  const { value: lastChoice, isPending, save } = usePreference(`export.${target.list}`)
  const preview = useQuery({ ...exportPreviewQuery(target, previewFormat), placeholderData: keepPreviousData })
  const [changes, setChanges] = useState<Partial<ExportChoice & { newOnly: boolean; otherPurpose: string }>>({})
  const [hasSubmitted, setSubmitted] = useState(false)
  // Columns that the list no longer has are dropped, because they would be empty.
  const lastColumns = lastChoice?.columns.filter((column) => COLUMNS_BY_LIST[target.list].includes(column)) ?? []
  const initialColumns = lastColumns.length > 0 ? lastColumns : selectDefaultColumns(target.list)
  const { columns = initialColumns, format = lastChoice?.format ?? 'xlsx' } = changes
  const choice: ExportChoice = {
    format,
    columns,
    purpose: 'purpose' in changes ? changes.purpose : lastChoice?.purpose,
  }
  const { otherPurpose = '' } = changes
  const fresh = preview.data?.fresh ?? null
  const newOnly = changes.newOnly === true && fresh !== null && fresh.count > 0
  const tally: ExportTally | undefined = newOnly ? fresh : preview.data
  const purposeName = choice.purpose === undefined ? '' : t(`purpose.${choice.purpose}`)
  const purpose = choice.purpose === 'other' ? otherPurpose.trim() : purposeName
  return {
    choice,
    otherPurpose,
    newOnly,
    change: (part: typeof changes) => setChanges((last) => ({ ...last, ...part })),
    preview: preview.data,
    failure: preview.error === null ? null : t(`failed.${classifyExportFailure(preview.error)}`),
    isReady: !isPending && !preview.isPlaceholderData && tally !== undefined,
    tally,
    purposeError: hasSubmitted && purpose === '' ? t('purpose.missing') : undefined,
    /** Saves the choices and returns the purpose, or null if it is missing; the form then shows an error. */
    confirm: (): string | null => {
      setSubmitted(true)
      if (purpose === '') return null
      save(choice)
      return purpose
    },
  }
}

type ExportFormDialogProps = {
  title: string
  form: ReturnType<typeof useExportForm>
  problem: string | null
  submitButton: { text: string; busy?: boolean; disabled: boolean }
  /** Replaces the form while a file is made; then neither Escape nor a press outside closes the dialog. */
  progress?: ReactNode
  onSubmit: (purpose: string) => void
  onClose: () => void
  children: ReactNode
}

/** Every export needs a purpose. The form begins with the last one, but never with a text in the user's own words. */
export function ExportFormDialog(props: ExportFormDialogProps) {
  const { title, form, problem, submitButton, progress = null, onSubmit, onClose, children } = props
  const t = useTranslations('export')
  const { tally, choice, purposeError, otherPurpose, change, confirm } = form
  const isOther = choice.purpose === 'other'
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const purpose = confirm()
    if (purpose !== null) return onSubmit(purpose)
    const { currentTarget } = event
    // By the next frame React has marked the missing field.
    requestAnimationFrame(() => currentTarget.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  return (
    <Dialog title={title} shape="sheet" onClose={onClose} isMandatory={progress !== null}>
      {progress ?? (
        <DialogForm
          saving={{ form: { noValidate: true, onSubmit: submit }, busy: submitButton.busy === true, problem }}
          saveLabel={submitButton.text}
          disabled={submitButton.disabled}
          onClose={onClose}
        >
          {children}
          {tally && tally.withheld > 0 && (
            <Notice size="sm" className="tabular flex items-center gap-2 font-medium">
              <ShieldAlert className="size-4 shrink-0" />
              {t('withheld', { count: tally.withheld })}
            </Notice>
          )}
          <SelectField
            label={t('purpose.label')}
            hint={t('purpose.hint')}
            error={isOther ? undefined : purposeError}
            required
            value={choice.purpose ?? ''}
            options={[
              ['', t('purpose.choose')],
              ...EXPORT_PURPOSES.map((name) => [name, t(`purpose.${name}`)] as const),
            ]}
            onChoose={(chosen) => change({ purpose: chosen === '' ? undefined : chosen })}
          />
          {isOther && (
            <TextField
              label={t('purpose.otherLabel')}
              error={purposeError}
              autoFocus
              required
              maxLength={300}
              value={otherPurpose}
              onChange={({ target }) => change({ otherPurpose: target.value })}
            />
          )}
          {tally && tally.under16 + tally.mayBeUnder16 > 0 && <MinorsNotice />}
        </DialogForm>
      )}
    </Dialog>
  )
}

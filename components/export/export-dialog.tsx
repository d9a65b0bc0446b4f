import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { useSaveMutation } from '@/components/app/use-save'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Disclosure } from '@/components/ui/disclosure'
import { Checkbox } from '@/components/ui/field'
import { ProblemText } from '@/components/ui/notice'
import { SegmentedControl } from '@/components/ui/segmented-control'
import { api } from '@/lib/api/call'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import type { Matching, Sort } from '@/lib/contract/list-query'
import { FILE_FORMATS } from '@/lib/contract/limits'
import { COLUMNS_BY_LIST } from '@/lib/export/export-columns'
import { formatSince } from '@/lib/time/format-time'
import { ExportProgressBar, useExportDownload } from './export-download'
import { classifyExportFailure, ExportFormDialog, useExportForm } from './export-form'

export type LeadSelection = { leads: LeadRef[] } | { matching: Matching }

type LeadsOfList = { list: LeadList; target: LeadSelection; count: number }
type ExportDialogProps = LeadsOfList & { onClose: () => void }

type ListChoiceDialogProps = {
  lists: readonly LeadsOfList[]
  onChoose: (choice: LeadsOfList) => void
  onClose: () => void
}

/** Asks which list to export if leads of both are selected, because a file has the leads of one list. */
export function ListChoiceDialog({ lists, onChoose, onClose }: ListChoiceDialogProps) {
  const t = useTranslations()
  return (
    <Dialog onClose={onClose} title={t('export.ofBoth.title')}>
      <div className="flex flex-wrap gap-2 px-5 pt-1 pb-5">
        {lists.map((choice) => {
          const text = t(`inbox.${choice.list}.count`, { count: choice.count })
          return <Button key={choice.list} text={text} onClick={() => onChoose(choice)} />
        })}
      </div>
    </Dialog>
  )
}

export function ExportDialog({ list, target, count, onClose, sort }: ExportDialogProps & { sort?: Sort | undefined }) {
  const t = useTranslations('export')
  const locale = useLocale()
  const [now] = useState(Date.now)
  const form = useExportForm({ list, ...target }, 'xlsx')
  const { isPending, progress, failure, start, cancel } = useExportDownload(onClose)
  const { preview, change, choice } = form
  const { columns, format } = choice
  const { fresh, lastExportAt } = preview ?? {}
  const allColumns = COLUMNS_BY_LIST[list]
  const rowCount = form.isReady ? form.tally?.count : undefined
  return (
    <ExportFormDialog
      title={t(`title.${list}`, { count: rowCount ?? count })}
      form={form}
      problem={failure ?? form.failure ?? (rowCount === 0 ? t('empty') : null)}
      submitButton={{
        text: rowCount === undefined ? t('counting') : t('start', { count: rowCount }),
        disabled: !rowCount || columns.length === 0,
      }}
      progress={isPending ? <ExportProgressBar progress={progress} onCancel={cancel} /> : null}
      onSubmit={(purpose) =>
        start({
          list,
          ...target,
          columns,
          format,
          sort,
          purpose,
          newOnly: form.newOnly,
          expectedCount: rowCount,
        })
      }
      onClose={onClose}
    >
      {/* The choice is offered only after an earlier export of the same filter. */}
      {preview && fresh && lastExportAt && (
        <SegmentedControl
          label={t('which.label')}
          value={form.newOnly ? 'fresh' : 'all'}
          options={[
            { value: 'all', text: t('which.all', { count: preview.count }) },
            { value: 'fresh', text: t('which.fresh', { count: fresh.count }), disabled: fresh.count === 0 },
          ]}
          hint={t('which.freshSince', { when: formatSince(Date.parse(lastExportAt), now, locale) })}
          onChange={(value) => change({ newOnly: value === 'fresh' })}
        />
      )}
      <SegmentedControl
        label={t('format.label')}
        value={format}
        options={FILE_FORMATS.map((value) => ({ value, text: t(`format.${value}`) }))}
        hint={t(`format.${format}Hint`)}
        onChange={(value) => change({ format: value })}
      />
      {format !== 'vcf' && (
        <Disclosure
          title={t('columns.label')}
          summary={t('columns.chosen', { chosen: columns.length, all: allColumns.length })}
        >
          <ul className="flex flex-col">
            {allColumns.map((column) => (
              <li key={column} className="flex rounded-md hover:bg-hover">
                <Checkbox
                  label={t(`column.${column}`)}
                  checked={columns.includes(column)}
                  onChange={(isChecked) =>
                    change({ columns: allColumns.filter((id) => (id === column ? isChecked : columns.includes(id))) })
                  }
                  className="flex-1 px-2"
                />
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
      <ProblemText text={columns.length === 0 ? t('columns.none') : null} />
    </ExportFormDialog>
  )
}

export function CopyEmailsDialog({ list, target, onClose }: ExportDialogProps) {
  const t = useTranslations('export')
  const form = useExportForm({ list, ...target }, 'emails')
  const { tally } = form
  const hasNoEmail = tally?.withEmail === 0
  const { save, busy, answer, error } = useSaveMutation({
    send: async (pending: { emails: Promise<string[]>; isCopied: Promise<boolean> }) => {
      const { length: count } = await pending.emails
      return { count, isBlocked: !(await pending.isCopied) }
    },
    successMessage: ({ count, isBlocked }) => (isBlocked ? null : t('copy.done', { count })),
    invalidate: 'GET /api/exports',
    onSaved: ({ isBlocked }) => {
      if (!isBlocked) onClose()
    },
  })
  const copy = (purpose: string) => {
    const pendingFile = api('POST /api/exports', { body: { list, ...target, purpose, format: 'emails' } })
    const pendingEmails = pendingFile.then(({ emails }) => emails)
    const pendingText = pendingEmails.then((emails) => new Blob([emails.join('; ')], { type: 'text/plain' }))
    const writeToClipboard = async () => {
      try {
        await navigator.clipboard.write([new ClipboardItem({ 'text/plain': pendingText })])
        return true
      } catch {
        return false
      }
    }
    // Safari writes only within the press itself, so the clipboard gets a promise before the mutation runs.
    save({ emails: pendingEmails, isCopied: writeToClipboard() })
  }
  const failure = error === null ? form.failure : t(`failed.${classifyExportFailure(error)}`)
  const copyProblem = answer?.isBlocked ? t('copy.blocked') : failure
  return (
    <ExportFormDialog
      title={t('copy.title')}
      form={form}
      problem={hasNoEmail ? t('copy.nobody') : copyProblem}
      submitButton={{ text: t('copy.start'), busy, disabled: !form.isReady || hasNoEmail }}
      onSubmit={copy}
      onClose={onClose}
    >
      <div className="flex flex-col gap-1.5 text-sm">
        <p className="tabular font-medium" aria-live="polite">
          {tally === undefined
            ? t('counting')
            : t('copy.counts', { withEmail: tally.withEmail, without: tally.count - tally.withEmail })}
        </p>
        <p className="text-mute">{t('copy.body')}</p>
      </div>
    </ExportFormDialog>
  )
}

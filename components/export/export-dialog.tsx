import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Disclosure } from '@/components/ui/disclosure'
import { Checkbox } from '@/components/ui/field'
import { ProblemText } from '@/components/ui/notice'
import { SegmentedControl } from '@/components/ui/segmented-control'
import type { ExportTarget } from '@/lib/contract/export'
import type { Sort } from '@/lib/contract/list-query'
import { FILE_FORMATS } from '@/lib/contract/limits'
import { COLUMNS_BY_LIST } from '@/lib/export/export-columns'
import { formatSince } from '@/lib/time/format-time'
import { ExportProgressBar, useExportDownload } from './export-download'
import { ExportFormDialog, useExportForm } from './export-form'

export type CountedTarget = { target: ExportTarget; count: number }

type ExportDialogProps = CountedTarget & { sort: Sort | undefined; onClose: () => void }

export function ExportDialog({ target, count, sort, onClose }: ExportDialogProps) {
  const t = useTranslations('export')
  const locale = useLocale()
  const [now] = useState(Date.now)
  const form = useExportForm(target, 'xlsx')
  const { isPending, progress, failure, start, cancel } = useExportDownload(onClose)
  const { preview, change, choice, newOnly } = form
  const { columns, format } = choice
  const { fresh, lastExportAt } = preview ?? {}
  const allColumns = COLUMNS_BY_LIST[target.list]
  const rowCount = form.isReady ? form.tally?.count : undefined
  return (
    <ExportFormDialog
      title={t(`title.${target.list}`, { count: rowCount ?? count })}
      form={form}
      problem={failure ?? form.failure ?? (rowCount === 0 ? t('empty') : null)}
      submitButton={{
        text: rowCount === undefined ? t('counting') : t('start', { count: rowCount }),
        disabled: !rowCount || columns.length === 0,
      }}
      progress={isPending ? <ExportProgressBar progress={progress} onCancel={cancel} /> : null}
      onSubmit={(purpose) => start({ ...target, columns, format, sort, purpose, newOnly, expectedCount: rowCount })}
      onClose={onClose}
    >
      {/* The choice of new leads only is offered after an earlier export of the same filter. */}
      {preview && fresh && lastExportAt && (
        <SegmentedControl
          label={t('which.label')}
          value={newOnly ? 'fresh' : 'all'}
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

type ListChoiceDialogProps = {
  targets: readonly CountedTarget[]
  onChoose: (target: CountedTarget) => void
  onClose: () => void
}

/** Asks which list to export if leads of both are selected, because a file has the leads of one list. */
export function ListChoiceDialog({ targets, onChoose, onClose }: ListChoiceDialogProps) {
  const t = useTranslations()
  return (
    <Dialog onClose={onClose} title={t('export.ofBoth.title')}>
      <div className="flex flex-wrap gap-2 px-5 pt-1 pb-5">
        {targets.map((counted) => {
          const { list } = counted.target
          const text = t(`inbox.${list}.count`, { count: counted.count })
          return <Button key={list} text={text} onClick={() => onChoose(counted)} />
        })}
      </div>
    </Dialog>
  )
}

'use client'

import { useTranslations } from 'next-intl'
import type { LeadList } from '@/lib/contract/lead'
import type { ExportChoice } from '@/lib/contract/preferences'
import { ColumnChoice } from './column-choice'
import { CsvSettings } from './csv-settings'
import { FormProblem } from './form-problem'
import { Segments } from './segments'
import type { ChoiceState } from './use-export-choice'

type FileChoiceProps = { list: LeadList; choice: ExportChoice; change: ChoiceState['change'] }

/** Which kind of file, and what stands in it. */
export function FileChoice({ list, choice, change }: FileChoiceProps) {
  const t = useTranslations('export')
  const { format, columns, delimiter, encoding } = choice
  return (
    <>
      <Segments
        label={t('format.label')}
        value={format}
        options={(['xlsx', 'csv', 'vcf'] as const).map((value) => ({ value, text: t(`format.${value}`) }))}
        hint={t(`format.${format}Hint`)}
        onChange={(value) => change({ format: value })}
      />
      <div className="flex flex-col gap-2">
        {format !== 'vcf' && (
          <ColumnChoice list={list} columns={columns} onChange={(value) => change({ columns: value })} />
        )}
        <FormProblem text={columns.length === 0 ? t('columns.none') : null} />
        {format === 'csv' && <CsvSettings delimiter={delimiter} encoding={encoding} onChange={change} />}
      </div>
    </>
  )
}

import { useFormatter, useTranslations } from 'next-intl'
import { cn } from '@/components/ui/cn'
import type { InterestGrid } from './interest-grid'

const number = 'tabular px-3.5 text-right'
const sticky = 'sticky left-0 border-r border-line-soft px-4 text-left'

/** Scrolls both ways within itself; names and headings stay. */
export function InterestTable({ grid }: { grid: InterestGrid }) {
  const t = useTranslations('interest')
  const { years, hasOtherYears, schools, total } = grid
  return (
    <div
      role="region"
      aria-label={t('caption')}
      tabIndex={0}
      className="min-h-0 overflow-auto rounded-lg border border-line bg-panel shadow-card scroll-thin"
    >
      <table className="w-full border-separate border-spacing-0 text-sm [&_td]:h-9.5 [&_td]:border-b [&_td]:border-line-soft [&_th]:border-b [&_th]:border-line-soft [&_tbody_tr:last-child>*]:border-b-0">
        <caption className="sr-only">{t('caption')}</caption>
        <thead>
          <tr className="[&>th]:sticky [&>th]:top-0 [&>th]:h-9.5 [&>th]:bg-panel [&>th]:text-xs [&>th]:font-medium [&>th]:whitespace-nowrap [&>th]:text-mute">
            <th scope="col" className={cn(sticky, 'z-20')}>
              {t('school')}
            </th>
            <th scope="col" className={cn(number, 'z-10')}>
              {t('total')}
            </th>
            {years.map((year) => (
              <th key={year} scope="col" className={cn(number, 'z-10')}>
                {year}
              </th>
            ))}
            {hasOtherYears && (
              <th scope="col" title={t('otherYearsHint')} className={cn(number, 'z-10')}>
                {t('otherYears')}
              </th>
            )}
            <th scope="col" className={cn(number, 'z-10 border-l border-line-soft')}>
              {t('questions')}
            </th>
          </tr>
        </thead>
        <tbody>
          {schools.length > 1 && <Line name={t('allSchools')} row={total} hasOtherYears={hasOtherYears} isTotal />}
          {schools.map((school) => (
            <Line key={school.id} name={school.name} row={school} hasOtherYears={hasOtherYears} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type LineProps = { name: string; row: InterestGrid['total']; hasOtherYears: boolean; isTotal?: boolean }

/** The cells are no components of their own: with 147 schools there are thousands. */
function Line({ name, row, hasOtherYears, isTotal = false }: LineProps) {
  const format = useFormatter()
  // A nought steps back, so that the eye finds the numbers.
  const cell = (key: number | string, count: number, className?: string) => (
    <td key={key} className={cn(number, 'group-hover:bg-bg', count === 0 && 'text-faint', className)}>
      {format.number(count)}
    </td>
  )
  return (
    <tr className={cn('group', isTotal && 'font-semibold')}>
      <th
        scope="row"
        title={name}
        className={cn(
          sticky,
          'z-10 max-w-40 min-w-40 truncate bg-panel group-hover:bg-bg desk:max-w-72 desk:min-w-56',
          isTotal ? 'font-semibold' : 'font-normal',
        )}
      >
        {name}
      </th>
      {cell('total', row.total, 'font-semibold')}
      {row.declarations.map((count, column) => cell(column, count))}
      {hasOtherYears && cell('other', row.otherYears)}
      {cell('questions', row.questions, 'border-l')}
    </tr>
  )
}

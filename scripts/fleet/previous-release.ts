import type { Report } from './report'
export async function besidePreviousRelease(report: Report): Promise<void> {
  report.skip('x', 'y')
}

import { LoadingPage } from '@/components/ui/loading'

export default function Loading() {
  return <LoadingPage lines={['h-6 w-40', 'h-4 w-72 max-w-full', 'h-4 w-4/5', 'h-4 w-3/5', 'h-4 w-5/6', 'h-4 w-2/3']} />
}

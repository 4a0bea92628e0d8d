// Shows runs: the one in this file, or those of the server it came from.

import './language.ts';
import './style.css';
import { render } from 'preact';
import { ReportApp } from './report-app.tsx';
import { applyTheme } from './ui/frame.tsx';

applyTheme();
const root = document.getElementById('app');
if (root !== null) render(<ReportApp />, root);

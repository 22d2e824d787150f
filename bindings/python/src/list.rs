//! A list of a document, which looks like a list.

use interpolate::{JsonPointer, Kind, Patch};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::slice::PySliceIndices;
use pyo3::types::{PyDict, PyIterator, PyList, PySlice, PyTuple};

use crate::data::Value;
use crate::failure::{missing, not_found, raised};
use crate::node::{Found, Node, plain};

/// A list of a document: a `collections.abc.MutableSequence`. Comments go with their items.
///
///     >>> doc = interpolate.load("- b   # two\n- a   # one\n")
///     >>> doc.sort()
///     >>> doc += ["c"]
///     >>> print(doc.dump(), end="")
///     - a   # one
///     - b   # two
///     - c
#[pyclass(frozen, subclass, extends = Node, module = "interpolate")]
pub(crate) struct ListNode;

/// The items of a list.
struct Items<'n> {
    node: &'n Node,
    at: JsonPointer,
    len: usize,
}

/// The items that a subscript selects.
enum Selected {
    One(JsonPointer),
    Slice(PySliceIndices),
}

impl<'n> Items<'n> {
    fn of(list: &'n Bound<'_, ListNode>) -> PyResult<Items<'n>> {
        let node = list.as_super().get();
        let at = node.pointer(Kind::Sequence)?;
        let len = node.state()?.document.at(&at).map_err(missing)?.len();
        Ok(Items { node, at, len })
    }

    fn child(&self, index: usize) -> JsonPointer {
        self.at.child(index.to_string())
    }

    /// Returns the place of an item, from the end if the index is negative.
    fn item(&self, index: isize) -> PyResult<JsonPointer> {
        let from_end = if index < 0 { self.len } else { 0 };
        let found = index.checked_add_unsigned(from_end).map(usize::try_from);
        match found {
            Some(Ok(index)) if index < self.len => Ok(self.child(index)),
            _ => {
                let message =
                    format!("list index out of range: there are {} items", self.len);
                Err(not_found(&message))
            }
        }
    }

    fn selected(&self, key: &Bound<'_, PyAny>) -> PyResult<Selected> {
        if let Ok(slice) = key.cast::<PySlice>() {
            return slice.indices(isize::try_from(self.len)?).map(Selected::Slice);
        }
        if !key.hasattr("__index__")? {
            let message = format!(
                "list indices are integers or slices, not {}",
                key.get_type().name()?
            );
            return Err(PyTypeError::new_err(message));
        }
        // A larger number is no index either.
        self.item(key.extract().unwrap_or(isize::MAX)).map(Selected::One)
    }

    /// Returns the values of all items.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mark = self.node.mark_now()?;
        let state = self.node.state()?;
        let list = state.document.at(&self.at).map_err(missing)?;
        let items =
            list.items().map(|item| self.node.found_node(&item, || mark.child(&item)));
        let found = items.collect::<PyResult<Vec<Found>>>()?;
        drop(state);
        let values = found.into_iter().map(|found| found.object(py));
        PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)
    }

    /// Replaces a slice.
    fn assign(&self, slice: &PySliceIndices, values: &[Value]) -> PyResult<()> {
        let indexes = indexes(slice);
        if slice.step == 1 {
            let start = usize::try_from(slice.start)?;
            let state = self.node.state()?;
            let patch = Patch::new().splice_at(
                &state.document,
                &self.at,
                start..start + indexes.len(),
                values,
            );
            drop(state);
            return self.node.edit(patch);
        }
        if indexes.len() != values.len() {
            let message = format!(
                "attempt to assign sequence of size {} to extended slice of size {}",
                values.len(),
                indexes.len()
            );
            return Err(PyValueError::new_err(message));
        }
        let mut pairs = indexes.into_iter().zip(values);
        self.node.edit(pairs.try_fold(Patch::new(), |patch, (index, value)| {
            patch.replace_at(self.child(index), value)
        }))
    }

    /// Appends values.
    fn extend(&self, values: &[Value]) -> PyResult<()> {
        let end = self.at.child("-");
        let mut values = values.iter();
        self.node.edit(
            values
                .try_fold(Patch::new(), |patch, value| patch.add_at(end.clone(), value)),
        )
    }

    /// Removes items, whose indexes ascend.
    fn remove(
        &self,
        indexes: impl IntoIterator<Item = usize, IntoIter: DoubleEndedIterator>,
    ) -> PyResult<()> {
        let last_first = indexes.into_iter().rev();
        let remove = |patch: Patch, index| patch.remove_at(self.child(index));
        self.node.edit(Ok(last_first.fold(Patch::new(), remove)))
    }

    /// Puts the items in another order.
    fn reorder(&self, order: &[usize]) -> PyResult<()> {
        self.node.edit(Patch::new().reorder_at(&self.at, order))
    }
}

/// Returns the indexes that a slice selects, in its order.
fn indexes(slice: &PySliceIndices) -> Vec<usize> {
    let at = |number: usize| {
        let offset =
            isize::try_from(number).unwrap_or(isize::MAX).saturating_mul(slice.step);
        usize::try_from(slice.start.saturating_add(offset)).unwrap_or(0)
    };
    (0..slice.slicelength).map(at).collect()
}

/// Reads the values of an iterable.
fn values_of(values: &Bound<'_, PyAny>) -> PyResult<Vec<Value>> {
    values.try_iter()?.map(|value| Value::of(&value?)).collect()
}

#[pymethods]
impl ListNode {
    fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(Items::of(slf)?.len)
    }

    fn __getitem__(slf: &Bound<'_, Self>, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let items = Items::of(slf)?;
        match items.selected(key)? {
            Selected::One(at) => items.node.found(&at)?.object(slf.py()),
            Selected::Slice(_) => {
                items.values(slf.py())?.as_any().get_item(key).map(Bound::unbind)
            }
        }
    }

    fn __setitem__(
        slf: &Bound<'_, Self>,
        key: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        if key.is_instance_of::<PySlice>() {
            let values = values_of(value)?;
            let items = Items::of(slf)?;
            return match items.selected(key)? {
                Selected::Slice(slice) => items.assign(&slice, &values),
                Selected::One(_) => Ok(()),
            };
        }
        let value = Value::of(value)?;
        let items = Items::of(slf)?;
        match items.selected(key)? {
            Selected::One(at) => items.node.replace(at, &value),
            Selected::Slice(_) => Ok(()),
        }
    }

    fn __delitem__(slf: &Bound<'_, Self>, key: &Bound<'_, PyAny>) -> PyResult<()> {
        let items = Items::of(slf)?;
        match items.selected(key)? {
            Selected::One(at) => items.node.state()?.remove(at).map_err(raised),
            Selected::Slice(slice) => {
                let mut indexes = indexes(&slice);
                indexes.sort_unstable();
                items.remove(indexes)
            }
        }
    }

    fn __contains__(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        slf.as_super().get().plain(slf.py())?.bind(slf.py()).contains(value)
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyIterator>> {
        Items::of(slf)?.values(slf.py())?.try_iter()
    }

    fn __reversed__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyIterator>> {
        let values = Items::of(slf)?.values(slf.py())?;
        values.reverse()?;
        values.try_iter()
    }

    /// Appends an item.
    fn append(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = Value::of(value)?;
        let items = Items::of(slf)?;
        items.node.state()?.add(items.at.child("-"), &value).map_err(raised)
    }

    /// Inserts an item before that with the index.
    fn insert(
        slf: &Bound<'_, Self>,
        index: isize,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let value = Value::of(value)?;
        let items = Items::of(slf)?;
        let from_end = if index < 0 { items.len } else { 0 };
        let position = index.saturating_add_unsigned(from_end).max(0).unsigned_abs();
        let at = items.child(position.min(items.len));
        items.node.state()?.add(at, &value).map_err(raised)
    }

    /// Appends all items of an iterable, or none if one of them is refused.
    fn extend(slf: &Bound<'_, Self>, values: &Bound<'_, PyAny>) -> PyResult<()> {
        let values = values_of(values)?;
        Items::of(slf)?.extend(&values)
    }

    fn __add__<'py>(
        slf: &Bound<'py, Self>,
        other: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        plain(slf)?.add(plain(other)?)
    }

    fn __radd__<'py>(
        slf: &Bound<'py, Self>,
        other: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        other.add(plain(slf)?)
    }

    fn __iadd__(slf: &Bound<'_, Self>, values: &Bound<'_, PyAny>) -> PyResult<()> {
        ListNode::extend(slf, values)
    }

    /// Removes an item, by default the last one, and returns it as plain data.
    #[pyo3(signature = (index = -1), text_signature = "(self, index=-1)")]
    fn pop(slf: &Bound<'_, Self>, index: isize) -> PyResult<Py<PyAny>> {
        let items = Items::of(slf)?;
        let at = items.item(index)?;
        let data = items.node.plain_at(slf.py(), &at)?;
        items.node.state()?.remove(at).map_err(raised)?;
        Ok(data)
    }

    /// Removes the first item that equals a value; ValueError if there is none.
    ///
    ///     >>> doc = interpolate.load("jobs:\n- {name: web}   # public\n- {name: db}\n")
    ///     >>> doc["jobs"].remove({"name": "web"})
    ///     >>> print(doc.dump(), end="")
    ///     jobs:
    ///     - {name: db}
    fn remove(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let data = slf.as_super().get().plain(slf.py())?;
        let index = data.bind(slf.py()).call_method1("index", (value,))?;
        ListNode::__delitem__(slf, &index)
    }

    /// Returns the index of the first item that equals a value; ValueError if there is none.
    #[pyo3(signature = (value, *bounds), text_signature = "(self, value, start=0, stop=..., /)")]
    fn index(
        slf: &Bound<'_, Self>,
        value: &Bound<'_, PyAny>,
        bounds: &Bound<'_, PyTuple>,
    ) -> PyResult<Py<PyAny>> {
        let data = slf.as_super().get().plain(slf.py())?;
        let arguments = PyTuple::new(slf.py(), [value])?.add(bounds)?;
        let arguments = arguments.cast_into::<PyTuple>()?;
        Ok(data.bind(slf.py()).call_method1("index", arguments)?.unbind())
    }

    /// Returns the number of items that equal a value.
    fn count(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<usize> {
        let data = slf.as_super().get().plain(slf.py())?;
        data.bind(slf.py()).call_method1("count", (value,))?.extract()
    }

    /// Puts the items in the opposite order.
    fn reverse(slf: &Bound<'_, Self>) -> PyResult<()> {
        let items = Items::of(slf)?;
        items.reorder(&(0..items.len).rev().collect::<Vec<_>>())
    }

    /// Sorts the items as `list.sort` does; comments go with their items.
    ///
    ///     >>> doc = interpolate.load("- {n: 2}   # two\n- {n: 1}   # one\n")
    ///     >>> doc.sort(key=lambda item: item["n"])
    ///     >>> print(doc.dump(), end="")
    ///     - {n: 1}   # one
    ///     - {n: 2}   # two
    #[pyo3(signature = (*, key = None, reverse = false))]
    fn sort(
        slf: &Bound<'_, Self>,
        key: Option<&Bound<'_, PyAny>>,
        reverse: bool,
    ) -> PyResult<()> {
        let py = slf.py();
        let values = match key {
            Some(key) => {
                let values = Items::of(slf)?.values(py)?;
                let keys = values.iter().map(|value| key.call1((value,)));
                PyList::new(py, keys.collect::<PyResult<Vec<_>>>()?)?
            }
            None => {
                slf.as_super().get().plain(py)?.into_bound(py).cast_into::<PyList>()?
            }
        };
        let order = PyList::new(py, 0..values.len())?;
        let options = PyDict::new(py);
        options.set_item("key", values.getattr("__getitem__")?)?;
        options.set_item("reverse", reverse)?;
        order.call_method("sort", (), Some(&options))?;
        let order: Vec<usize> = order.extract()?;
        let items = Items::of(slf)?;
        if items.len != order.len() {
            return Err(PyValueError::new_err("list modified during sort"));
        }
        items.reorder(&order)
    }

    /// Removes all items.
    fn clear(slf: &Bound<'_, Self>) -> PyResult<()> {
        let items = Items::of(slf)?;
        items.remove(0..items.len)
    }
}

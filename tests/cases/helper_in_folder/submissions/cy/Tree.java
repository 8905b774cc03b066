class Tree<T extends Comparable<T>> {
    private Node<T> root = null;
    void add(T value) {
        Node<T> at = root;
        while (at != null) { at = value.compareTo(at.value) < 0 ? at.left : at.right; }
        root = new Node<T>(value, root, at);
    }
}
